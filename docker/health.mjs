/**
 * Docker's HEALTHCHECK: exit code 0 if the process answers, otherwise 1. An argument replaces the path /health/live.
 *
 * It does not check readiness: orchestrators restart unhealthy containers (Swarm, ECS), and a restart fixes neither a Redis
 * outage nor maintenance. Load balancers poll /health/ready.
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
