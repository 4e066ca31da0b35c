/**
 * Loaded before anything else in the tests that are one bundle: keeps tap from recording which files a test loads, for
 * coverage that nobody asks for. The thread that does it takes half a second of each file. tap has no setting for it.
 */
import module from 'node:module';

const { register } = module;
module.register = () => {
  // Once: what comes later is another loader.
  module.register = register;
};
