/**
 * Loaded before each test file: what a test starts gets no more than the test gives it. By itself tap puts a loader into
 * every Node that lists the files it loads, for coverage that nobody asks for here; a command takes twice as long with it.
 */
import hooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import processOnSpawn from 'process-on-spawn';

processOnSpawn.removeAllListeners();
delete process.env.NODE_OPTIONS;

/**
 * tap follows every promise and handle, to know whose error it is that nobody caught: a tenth of the time of tests with
 * requests. Told that all is one context, it takes such an error as one of the last test of the file; its stack says whose it is.
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
