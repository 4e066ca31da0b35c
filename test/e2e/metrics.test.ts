/** The metrics and the health in detail, on one server: what they say of it at first, and then of a troubled engine. */
import t from 'tap';
import './metrics/exposition.ts';
import './metrics/events.ts';
import { server } from './metrics/server.ts';
import { endsCleanly } from './support/assertions.ts';

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
