/** What the dashboard tells people of errors. */
import t from 'tap';
import { catalogue } from '../../src/errors.ts';
import { messageForPeople } from '../../src/pages/app/message.ts';

t.test('nobody is told of headers and fields', async (t) => {
  for (const [code, { message }] of Object.entries(catalogue)) {
    const told = messageForPeople(message, 3);
    t.notMatch(told, /retry-?after/i, code);
    t.match(told, /^[A-Z].+\.$/, code);
  }
});

t.test('but when to try again', async (t) => {
  const { message } = catalogue.SERVICE_UNAVAILABLE;
  t.equal(messageForPeople(message, 1), 'The service is not available now. Try again in 1 second.');
  t.equal(messageForPeople(message, 300), 'The service is not available now. Try again in 5 minutes.');
  const soon = 'The service is not available now. Try again in a moment.';
  t.equal(messageForPeople(message, undefined), soon);
});

t.test('what is for people already stays as it is', async (t) => {
  const message = 'Too many dashboards are open. Close some of them.';
  t.equal(messageForPeople(message, 1), message);
});
