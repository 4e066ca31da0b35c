/** GET /: drop a DOCX, see the PDF. For people who pass by. GET /sample.docx: a document for who has none at hand. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { LARGEST_TOGETHER, MAX_JOB_FILES } from '../../accounts/plans/plans.ts';
import type { Config } from '../../config.ts';
import { MAX_JOB_BYTES } from '../../jobs/job.ts';
import { kitFiles, pagesFolder } from '../../paths.ts';
import { policyWith } from './page-headers.ts';

const MEGABYTE = 1_048_576;

export interface TryItRouteOptions {
  readonly config: Config;
  /** Whether the service takes jobs. */
  readonly hasJobs: boolean;
}

/** The page says the limits of this server: its placeholders, `{{name}}`, are filled in once. */
export const tryItRoute: FastifyPluginAsync<TryItRouteOptions> = async (app, { config, hasJobs }) => {
  const extensions = config.accept.map((type) => `.${type}`);
  const values: Readonly<Record<string, string>> = {
    publicMaxFileBytes: String(config.publicMaxFileBytes),
    publicMaxFile: megabytes(config.publicMaxFileBytes),
    publicPerHour: String(config.publicPerHour),
    publicPerSecond: String(config.publicPerSecond),
    maxFileBytes: String(config.maxFileBytes),
    maxFile: megabytes(config.maxFileBytes),
    maxFiles: String(MAX_JOB_FILES),
    maxJobBytes: String(MAX_JOB_BYTES),
    maxJob: megabytes(MAX_JOB_BYTES),
    maxCombinedBytes: String(LARGEST_TOGETHER * config.maxFileBytes),
    maxCombined: megabytes(LARGEST_TOGETHER * config.maxFileBytes),
    uploadTime: `${config.uploadTimeoutMs / 1_000} s`,
    retention: `${config.jobRetentionMs / 3_600_000} h`,
    severalIn: hasJobs ? 'idle failed done job' : '',
    extensions: extensions.join(','),
    shownExtensions: extensions.join(', '),
  };
  const template = await readFile(join(pagesFolder, 'try-it.html'), 'utf8');
  const html = template.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nothing fills ${placeholder}`);
    return value;
  });
  // Results are shown from the memory of the page.
  const shown = { 'frame-src': ['blob:'], 'img-src': ["'self'", 'data:', 'blob:'] };
  app.get('/', { helmet: policyWith(shown) }, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(html),
  );
  const { sampleDocument } = kitFiles;
  app.get('/sample.docx', async (_request, reply) =>
    reply.sendFile(basename(sampleDocument), dirname(sampleDocument)),
  );
};

function megabytes(bytes: number): string {
  return `${Math.round((bytes / MEGABYTE) * 100) / 100} MB`;
}
