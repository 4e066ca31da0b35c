/** Ten thousand conversions. */
process.env.CONVERSIONS ??= '10000';
await import('./endurance.test.ts');
