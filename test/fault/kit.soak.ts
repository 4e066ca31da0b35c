/** The faults of the kit, ten times each. */
process.env.ROUNDS ??= '10';
await import('./kit.test.ts');
