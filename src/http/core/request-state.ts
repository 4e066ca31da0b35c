/** What becomes known of a request on its way: one object, which hooks and handlers fill in. */
import fp from 'fastify-plugin';
import type { Bill } from '../../accounts/billing/bill.ts';
import type { LocatedKey } from '../../accounts/keys/locate.ts';
import type { Standing } from '../../accounts/limits/admission.ts';
import type { ErrorCode, PlatenError } from '../../errors.ts';
import type { SimulatedFileError } from '../../jobs/job.ts';
import type { MaintenanceState } from '../../redis/maintenance.ts';
import { noTrace, type Trace } from '../../telemetry/trace.ts';
import type { ConversionRecord } from './request-outcome.ts';

export interface RequestState {
  /** Its key, also one that is revoked or expired; undefined outside the scopes of keys. */
  key?: LocatedKey;
  /** Whether it may go on with its key. */
  admitted: boolean;
  /** Where its account stands; undefined until its key is known. */
  standing?: Standing | undefined;
  /** Whether it was answered with a job. */
  isJob?: boolean;
  /** The bill of a conversion that was admitted with a key. */
  bill?: Bill;
  /** Whether the service is in maintenance, as asked for this request. */
  maintenance?: Promise<MaintenanceState | undefined>;
  /** What a test key asked to see; undefined for what it really is. */
  simulation?: ErrorCode | 'slow';
  /** The error that a test key asked for, by the number of a file from 1. */
  fileSimulation?: (number: number) => SimulatedFileError | undefined;
  /** The conversion that it asks for, once it is admitted. */
  conversion?: ConversionRecord;
  /** Its span. */
  trace: Trace;
  /** The error that it was answered with. */
  failure?: PlatenError;
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState;
  }
}

export const requestState = fp(
  async (app) => {
    app.decorateRequest('state');
    app.addHook('onRequest', async (request) => {
      request.state = { admitted: false, trace: noTrace };
    });
  },
  { name: 'request-state' },
);
