/** Who made a key, an endpoint of webhooks or an invitation, in answers. */
import { Type } from 'typebox';
import { type Maker, makers } from '../accounts/keys/maker.ts';
import type { Actor } from '../operator/audit-entry.ts';
import { orNull, words } from './schema.ts';

export const madeBy = orNull(
  Type.Object({
    by: words(makers, { description: 'What made it: a member of the account, an operator, or a key.' }),
    id: orNull(
      Type.String(),
      'Id of the member, the operator or the key. `null`: an operator, who is not named here or has no name.',
    ),
    name: orNull(Type.String(), 'Name of the person, as it was then. `null`: as above, or it is a key.'),
    email: orNull(Type.String(), 'E-mail address of the person, as it was then. `null`: as above.'),
  }),
  'Who made it. `null`: it is older than this field.',
);

export const memberMakerExample = {
  by: 'member',
  id: 'mem_4f1c0a9be27d38560c',
  name: 'Anna Smith',
  email: 'anna@example.com',
};

/** The maker of something, as the viewer may see it. */
export function shownTo({ by }: Actor, maker: Maker | null): Maker | null {
  return by === 'member' ? forCustomers(maker) : maker;
}

/** Customers are not told who of the operators made something. */
function forCustomers(maker: Maker | null): Maker | null {
  return maker?.by === 'operator' ? { by: 'operator', id: null, name: null, email: null } : maker;
}
