/**
 * Whether the process answers, for Docker's HEALTHCHECK: exit code 0 or 1.
 *
 * Not whether it takes traffic: what asks a health check restarts what is unhealthy (Swarm, ECS), and a restart mends
 * neither a Redis that is away nor maintenance. A load balancer asks /health/ready.
 */
const { PORT } = process.env;

try {
  const response = await fetch(`http://127.0.0.1:${PORT}/health/live`, {
    signal: AbortSignal.timeout(4_000),
  });
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.error(`no answer: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
