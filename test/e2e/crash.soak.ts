/** Seventy servers that are killed in the middle of what they count. */
process.env.CRASHES ??= '70';
await import('./crash.test.ts');
