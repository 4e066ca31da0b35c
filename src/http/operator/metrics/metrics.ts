/** The metrics of one application, in a registry of its own. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { StatusSources } from '../status.ts';
import { RedisMetrics } from './redis.ts';
import { RequestMetrics } from './requests.ts';
import { StateMetrics } from './state.ts';

export class Metrics {
  readonly requests: RequestMetrics;
  readonly redis: RedisMetrics;
  readonly #registry = new Registry();
  readonly #state: StateMetrics;

  constructor(sources: StatusSources) {
    this.requests = new RequestMetrics(this.#registry);
    this.redis = new RedisMetrics(this.#registry);
    this.#state = new StateMetrics(this.#registry, sources);
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Media type of the exposition. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All of them as the registry has them. Never rejects, and takes about a second at most. */
  async read() {
    await this.#state.update();
    return this.#registry.getMetricsAsJSON();
  }

  /** All of them as text, in the exposition format of Prometheus. Never rejects, and takes about a second at most. */
  async expose(): Promise<string> {
    await this.#state.update();
    return this.#registry.metrics();
  }
}
