/**
 * Whether the process answers, for Docker's HEALTHCHECK: exit code 0 or 1. With an argument, another path than
 * /health/live is asked.
 *
 * Not whether it takes traffic: what asks a health check restarts what is unhealthy (Swarm, ECS), and a restart mends
 * neither a Redis that is away nor maintenance. A load balancer asks /health/ready.
 */
const { PORT } = process.env;
const [, , path = '/health/live'] = process.argv;

try {
  const response = await fetch(`http://127.0.0.1:${PORT}${path}`, { signal: AbortSignal.timeout(4_000) });
  if (!response.ok) console.error(await response.text());
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.error(`no answer: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
