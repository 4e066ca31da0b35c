/** The dashboard, as an operator meets it in a real browser: one server for all, so in this order. */
import t from 'tap';
import { accounts } from './dashboard/accounts.ts';
import { away } from './dashboard/away.ts';
import { Dashboard } from './dashboard/dashboard.ts';
import { jobs } from './dashboard/jobs.ts';
import { keys } from './dashboard/keys.ts';
import { overview } from './dashboard/overview.ts';
import { service } from './dashboard/service.ts';
import { sessions } from './dashboard/sessions.ts';
import { smallScreen } from './dashboard/small-screen.ts';

const dashboard = await Dashboard.start(t);
for (const tests of [overview, sessions, keys, accounts, jobs, service, smallScreen, away])
  tests(t, dashboard);
