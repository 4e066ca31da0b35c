/** Who made a key, an endpoint of webhooks or an invitation. */
import type { Maker } from '../api-types.ts';
import { HOME } from '../router.ts';

export function MadeBy({ maker }: { maker: Maker }) {
  if (maker === null) return <span class="faint">–</span>;
  const { by, id, name, email } = maker;
  if (by === 'key') return <a href={`${HOME}/keys/${id}`}>a key</a>;
  if (name === null) return <>an operator</>;
  return (
    <>
      {name}
      <span class="second">{by === 'operator' ? `${email}, operator` : email}</span>
    </>
  );
}
