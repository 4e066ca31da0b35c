/** How long requests wait for Redis. */
import { Histogram, type Registry } from 'prom-client';

/** Seconds; the last is the longest time that a request waits, see redis-deadline.ts. */
const BUCKETS = [0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.9];

export class RedisMetrics {
  readonly #wait: Histogram;

  constructor(registry: Registry) {
    this.#wait = new Histogram({
      name: 'platen_redis_wait_duration_seconds',
      help: 'Waits of requests for Redis, including those without an answer.',
      buckets: BUCKETS,
      registers: [registry],
    });
  }

  /** @param seconds that a request waited. */
  waited(seconds: number): void {
    this.#wait.observe(seconds);
  }
}
