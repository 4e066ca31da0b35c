/**
 * Loaded before each test file: processes that a test starts get only what the test gives them. tap would add a loader to
 * every Node process, which records loaded files for unused coverage and makes a command take twice as long.
 */
import hooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import processOnSpawn from 'process-on-spawn';

processOnSpawn.removeAllListeners();
delete process.env.NODE_OPTIONS;

/**
 * tap tracks every promise and handle to attribute uncaught errors to tests, which takes a tenth of the time of tests with
 * requests. With a single context, it attributes them to the last test of the file; the stack shows the real source.
 */
hooks.createHook = () => ({
  enable() {
    return this;
  },
  disable() {
    return this;
  },
});
hooks.executionAsyncId = () => 1;
syncBuiltinESMExports();
