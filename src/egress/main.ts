/** The process `platen egress`, without the other commands. */
import { OperatorError } from '../errors.ts';
import { EMBEDDED } from '../paths.ts';
import { runEgress } from './run.ts';

runEgress(process.env, process.argv.includes(EMBEDDED)).catch((error: unknown) => {
  console.error(error instanceof OperatorError ? `platen egress: ${error.message}` : error);
  process.exit(1);
});
