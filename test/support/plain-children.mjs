/**
 * Loaded before each test file: what a test starts gets no more than the test gives it. By itself tap puts a loader into
 * every Node that lists the files it loads, for coverage that nobody asks for here; a command takes twice as long with it.
 */
import processOnSpawn from 'process-on-spawn';

processOnSpawn.removeAllListeners();
delete process.env.NODE_OPTIONS;
