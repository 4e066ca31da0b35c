/** An endpoint of webhooks as the operator sees it: its path and query may be secrets of the account. */

import type { Environment } from '../keys/format.ts';
import { iso, isoOrNull } from '../system/iso-time.ts';
import type { Endpoint } from '../webhooks/webhook.ts';

export function endpointSummary(
  environment: Environment,
  { id, url, events, enabled, disabledReason, disabledAt, failingSince, createdAt, madeBy }: Endpoint,
) {
  return {
    id,
    environment,
    origin: new URL(url).origin,
    events: [...events],
    enabled,
    disabledReason,
    disabledAt: isoOrNull(disabledAt),
    failingSince: isoOrNull(failingSince),
    createdAt: iso(createdAt),
    madeBy,
  };
}
