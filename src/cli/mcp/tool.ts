/** A tool that a client of the Model Context Protocol can call. */
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Static, TObject } from 'typebox';

/** What a tool answers. */
export interface Answer {
  /** For models that read, and for people. */
  readonly text: string;
  /** The same for programs, by the schema of the tool's output. */
  readonly data: Record<string, unknown>;
}

export interface Tool<Input extends TObject = TObject> {
  readonly name: string;
  readonly title: string;
  /** Texts are plain, and hold nothing of a document. */
  readonly description: string;
  readonly input: Input;
  readonly output: TObject;
  readonly annotations: ToolAnnotations;

  /** @param input which its schema allows. @throws PlatenError, BatchFailure, the signal's reason. */
  run(input: Static<Input>, signal: AbortSignal): Promise<Answer>;
}
