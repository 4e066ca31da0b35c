/** Limits connections: each costs a file descriptor and memory before it has sent a byte. */
import fp from 'fastify-plugin';

interface ConnectionLimitOptions {
  /** Connections that may be open at a time; more are closed at once. */
  readonly max: number;
}

/** Interval of warnings during a flood. */
const LOG_INTERVAL_MS = 60_000;

export const connectionLimit = fp<ConnectionLimitOptions>(
  async (app, { max }) => {
    app.server.maxConnections = max;
    let closed = 0;
    let loggedAt = Number.NEGATIVE_INFINITY;
    app.server.on('drop', () => {
      closed++;
      const now = performance.now();
      if (now - loggedAt < LOG_INTERVAL_MS) return;
      loggedAt = now;
      app.log.warn({ max, closed }, 'too many connections');
    });
  },
  { name: 'connection-limit' },
);
