/** State of the service, and counters of its parts, read when metrics are requested. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { deadlineFromNow, orUnavailable } from '../../core/redis-deadline.ts';
import { readStatus, type ServiceStatus, type StatusSources } from '../status.ts';

type Values = Readonly<Record<string, number | boolean>>;

export class StateMetrics {
  readonly #registers: Registry[];
  readonly #sources: StatusSources;
  readonly #updates: ((status: ServiceStatus) => void)[] = [];
  readonly #readings: (() => Promise<void>)[] = [];

  constructor(registry: Registry, sources: StatusSources) {
    this.#registers = [registry];
    this.#sources = sources;
    this.#showService();
    this.#showQueue(sources);
    this.#showPreflight();
    this.#showEngine();
    this.#showRedis();
    this.#showBilling(sources);
    this.#showJobs(sources);
    this.#showEgress(sources);
    this.#showWebhooks(sources);
  }

  /** Reads all of it. Never rejects, and takes about a second at most. */
  async update(): Promise<void> {
    const [status] = await Promise.all([readStatus(this.#sources), ...this.#readings.map((read) => read())]);
    for (const update of this.#updates) update(status);
  }

  #showService(): void {
    const info = new Gauge({
      name: 'platen_build_info',
      help: 'Always 1; the labels name the running versions.',
      labelNames: ['version', 'node', 'engine', 'libreoffice', 'poppler'],
      registers: this.#registers,
    });
    this.#updates.push(({ version, node, engine }) => {
      info.reset();
      const { libreOffice: libreoffice, poppler } = engine;
      const made = { libreoffice: libreoffice ?? '', poppler: poppler ?? '' };
      info.set({ version, node, engine: engine.engine, ...made }, 1);
    });
    this.#single('platen_ready', '1 while /health/ready answers 200.', ({ ready }) => ready);
    this.#single('platen_healthy', '1 while /health answers 200.', ({ status }) => status === 'ok');
    this.#single('platen_maintenance', '1 in maintenance mode.', ({ maintenance }) => maintenance.on);
    this.#several('platen_phase', '1 for the current phase of the server.', 'phase', ({ phase }) => ({
      starting: phase === 'starting',
      ready: phase === 'ready',
      draining: phase === 'draining',
    }));
  }

  #showQueue({ queue }: StatusSources): void {
    this.#single('platen_workers', 'Most documents converted at a time.', (s) => s.queue.workers);
    this.#single('platen_workers_busy', 'Documents that are being converted.', (s) => s.queue.running);
    this.#single('platen_queue_limit', 'Most documents that may wait for a worker.', (s) => s.queue.limit);
    this.#several(
      'platen_queue_waiting',
      'Documents that wait for a worker, by class of sender.',
      'class',
      (s) => s.queue.waitingByClass,
    );
    this.#single(
      'platen_queue_oldest_wait_seconds',
      'Waiting time of the oldest document in the queue; 0 if none waits.',
      (s) => s.queue.oldestWaitMs / 1000,
    );
    this.#single('platen_uploads_in_progress', 'Uploads that are arriving.', (s) => s.queue.arriving);
    this.#several(
      'platen_queue_refusals_total',
      'Documents that the queue refused as OVERLOADED, by cause.',
      'cause',
      () => queue.refusals,
    );
  }

  #showPreflight(): void {
    this.#single(
      'platen_preflight_threads',
      'Most documents read at a time before the engine has them.',
      (s) => s.preflight.threads,
    );
    this.#single(
      'platen_preflight_threads_busy',
      'Documents being read before the engine has them.',
      (s) => s.preflight.running,
    );
    this.#several(
      'platen_preflight_waiting',
      'Documents that wait to be read, by class of sender.',
      'class',
      (s) => s.preflight.waitingByClass,
    );
    this.#single(
      'platen_preflight_oldest_wait_seconds',
      'Waiting time of the oldest document that is to be read; 0 if none waits.',
      (s) => s.preflight.oldestWaitMs / 1000,
    );
  }

  #showEngine(): void {
    this.#single('platen_engine_ready', '1 while the engine can take a document.', (s) => s.engine.ready);
    this.#single(
      'platen_engine_documents_total',
      'Documents whose conversion the engine began, including health probes.',
      (s) => s.engine.documents,
    );
    this.#several(
      'platen_kit_children',
      'Processes of the kit that wait for a document (idle) or work on one (running).',
      'state',
      (s) => s.engine.children,
    );
    this.#single(
      'platen_kit_restarts_total',
      'Kits that replaced one that died or hung.',
      (s) => s.engine.restarts,
    );
    this.#single(
      'platen_kit_renewals_total',
      'Kits replaced on purpose: after a number of documents, after the crash of a child, or because they answered late.',
      (s) => s.engine.renewals,
    );
    this.#several(
      'platen_sandbox_layer',
      'Sandbox layers around each document: 1 if this machine has the layer, else 0.',
      'layer',
      (s) => Object.fromEntries(s.sandbox.map(({ name, active }) => [name, active])),
    );
    this.#several(
      'platen_resident_memory_bytes',
      'Resident memory by kind of process; pages that a kit shares with its children count in each.',
      'process',
      (s) => s.residentBytes,
    );
  }

  #showRedis(): void {
    this.#single('platen_redis_up', '1 while Redis answers.', (s) => s.redis.up);
    this.#single('platen_redis_writable', '1 while Redis accepts writes.', (s) => s.redis.writable);
  }

  #showBilling({ billing, settlement }: StatusSources): void {
    this.#several(
      'platen_billing_events_total',
      'Ends of conversions: settled, released (no PDF, or a repetition), expiring (not released in the end), retried, unbilled (not confirmed), restored (lost by Redis, settled again).',
      'event',
      () => ({ ...billing.counts, restored: settlement.restored }),
    );
  }

  #showJobs({ jobs }: StatusSources): void {
    if (!jobs) return;
    this.#shared(
      'platen_job_files',
      'Files of jobs of all servers, by state: waiting, delayed (tried again later), active.',
      'state',
      () => jobs.queues.counts(),
    );
    this.#single(
      'platen_job_files_running',
      'Files of jobs that this server has.',
      () => jobs.runner.running,
    );
    this.#several(
      'platen_job_files_total',
      'Files of jobs that this server had, by outcome; those that were tried again count each time.',
      'outcome',
      () => ({ ...jobs.runner.counts }),
    );
  }

  #showEgress({ jobs, pulse, redisWaitMs }: StatusSources): void {
    if (!jobs) return;
    const help = '1 while a process "platen egress" lives.';
    const up = new Gauge({ name: 'platen_egress_up', help, registers: this.#registers });
    this.#readings.push(async () => {
      // Without Redis it is unknown.
      up.set(Number(await orUnavailable(pulse.isAlive(), deadlineFromNow(redisWaitMs)).catch(() => false)));
    });
    this.#shared(
      'platen_egress_documents',
      'Documents that are to be fetched, by state: waiting, delayed (tried again later), active.',
      'state',
      () => jobs.queues.fetchCounts(),
    );
    this.#shared(
      'platen_egress_fetches_total',
      'Attempts to fetch a document, of all processes "platen egress", by outcome.',
      'outcome',
      () => pulse.counts(),
    );
  }

  #showWebhooks({ webhooks }: StatusSources): void {
    if (!webhooks) return;
    this.#shared(
      'platen_webhooks_waiting',
      'Messages to endpoints of webhooks, by state: due (now), delayed (tried again later).',
      'state',
      () => webhooks.queue.waiting(),
    );
    this.#shared(
      'platen_webhook_attempts_total',
      'Attempts to deliver, of all processes: delivered, failed (tried again later), abandoned (the last one failed).',
      'outcome',
      () => webhooks.queue.counts(),
    );
  }

  /** Shows what Redis knows about all servers; nothing without Redis. */
  #shared(name: string, help: string, label: string, read: () => Promise<object>): void {
    const show = this.#shown(name, help, label);
    this.#readings.push(async () => {
      const deadline = deadlineFromNow(this.#sources.redisWaitMs);
      show(await orUnavailable(read(), deadline).catch(() => ({})));
    });
  }

  #single(name: string, help: string, read: (status: ServiceStatus) => number | boolean): void {
    const show = this.#shown(name, help);
    this.#updates.push((status) => show(read(status)));
  }

  /** One figure for each value of a label. */
  #several(name: string, help: string, label: string, read: (status: ServiceStatus) => Values): void {
    const show = this.#shown(name, help, label);
    this.#updates.push((status) => show(read(status)));
  }

  /** A metric that is set as a whole. The parts have counted: a counter, which has a name that says so, is set to its total. */
  #shown(name: string, help: string, ...labelNames: string[]): (figures: object | number | boolean) => void {
    const options = { name, help, labelNames, registers: this.#registers };
    const metric = name.endsWith('_total') ? new Counter(options) : new Gauge(options);
    const [label = ''] = labelNames;
    return (figures) => {
      metric.reset();
      if (typeof figures !== 'object') metric.inc(Number(figures));
      else
        for (const [value, figure] of Object.entries(figures)) metric.inc({ [label]: value }, Number(figure));
    };
  }
}
