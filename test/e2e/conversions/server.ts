/** The server of all tests in this folder. Each of its files also runs by itself. */
import t from 'tap';
import { Server } from '../../support/server.ts';
import { wordDocuments } from '../support/word-documents.ts';

export const server = await Server.start({
  env: { ACCEPT: Object.keys(wordDocuments).join(), PUBLIC_PER_HOUR: '1000', PUBLIC_PER_SECOND: '1000' },
});
t.teardown(() => server.stop('SIGKILL'));

/** A key with all features. */
export const { key } = await server.createKey();
