/** A thousand uploads that are cut off. */
process.env.UPLOADS ??= '1000';
await import('./uploads.test.ts');
