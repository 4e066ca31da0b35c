/** What a process that reads documents does for the service. */
import { type ErrorCode, isShortage, PlatenError, type Reason } from '../../errors.ts';
import { combineOutputs, verifyWhole } from './combine-tasks.ts';
import { inspectDocument } from './document-tasks.ts';
import { fillDocument, paginateDocument, seeLayout } from './layout-tasks.ts';
import { completeOutput, countOutputPages, measureOutputPage, verifyOutput } from './output-tasks.ts';

/** By name. Arguments and results travel between processes as structured clones. */
export const tasks = {
  inspect: inspectDocument,
  see: seeLayout,
  paginate: paginateDocument,
  fillPages: fillDocument,
  countPages: countOutputPages,
  measurePage: measureOutputPage,
  complete: completeOutput,
  verify: verifyOutput,
  combine: combineOutputs,
  verifyWhole,
} as const;

type Tasks = typeof tasks;
export type TaskName = keyof Tasks;
export type TaskInput<Name extends TaskName> = Parameters<Tasks[Name]>[0];
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>;

/** A refusal as it travels between processes, where an error would lose its class. */
export interface Refusal {
  readonly code: Exclude<ErrorCode, 'OVERLOADED'>;
  readonly message: string;
  readonly reason?: Reason | undefined;
  readonly cause: string | undefined;
}

/** What an error of a task is to the service: a refusal, or an error that nobody expected. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof PlatenError && error.code !== 'OVERLOADED') {
    const { code, message, reason, cause } = error;
    return { code, message, reason, cause: cause === undefined ? undefined : String(cause) };
  }
  if (!isShortage(error)) return undefined;
  const { code, message } = new PlatenError('SERVICE_UNAVAILABLE');
  return { code: code as Refusal['code'], message, cause: String(error) };
}
