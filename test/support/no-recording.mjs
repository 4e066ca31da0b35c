/**
 * Loaded before anything else in bundled tests: keeps tap from recording which files a test loads, for
 * coverage that is not used. Its recording thread costs each file half a second. tap has no setting for it.
 */
import module from 'node:module';

const { register } = module;
module.register = () => {
  // Only once: later calls register other loaders.
  module.register = register;
};
