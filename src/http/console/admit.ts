/** Begins the session of a person who has signed in. */
import type { KeyStore } from '../../accounts/keys/store.ts';
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

/** Signing in always makes a new session id; the old session ends. */
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
