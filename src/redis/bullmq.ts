/** What is used of BullMQ. It takes as long to load as much of the service, so it is loaded with the first need of it. */
export { DelayedError, Queue, Worker } from 'bullmq';
