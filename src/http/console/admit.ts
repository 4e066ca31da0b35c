/** Letting in who has signed in. */
import type { KeyStore } from '../../keys/store.ts';
import type { Role } from '../../members/member.ts';
import type { Members } from '../../members/members.ts';
import type { Banner } from '../../redis/banner.ts';
import { answerOf } from '../operator/answer.ts';
import { memberCookie } from '../operator/session-cookie.ts';
import type { Admit } from '../operator/sign-in/step.ts';
import { describeSession } from './session.ts';

export interface Admission {
  readonly keys: KeyStore;
  readonly members: Members;
  readonly banner: Banner;
}

/** Who signs in again leaves no session behind, and goes on with a new id in any case. */
export function admitTo({ keys, members, banner }: Admission): Admit<Role> {
  return async (request, reply, { account, member, session, id }) => {
    const former = memberCookie.read(request);
    if (former !== undefined) await members.sessions.end(former).catch(() => {});
    memberCookie.set(request, reply, id);
    const [owner, shown] = await Promise.all([
      answerOf(request, keys.requireAccount(account)),
      answerOf(request, banner.get()),
    ]);
    reply.code(201);
    return describeSession(owner, member, session, { id, banner: shown?.text ?? null });
  };
}
