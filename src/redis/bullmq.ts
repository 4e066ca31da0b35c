/** The part of BullMQ that is used. It takes as long to load as much of the service, so it is loaded on first use. */
export { DelayedError, Queue, Worker } from 'bullmq';
