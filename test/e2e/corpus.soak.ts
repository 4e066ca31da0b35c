/** Every document of the corpus. */
process.env.CORPUS_STEP ??= '1';
await import('./corpus.test.ts');
