/** Letting in who has signed in. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyStore } from '../../keys/store.ts';
import type { Members } from '../../members/members.ts';
import type { SignedIn } from '../../members/sign-in.ts';
import type { Banner } from '../../redis/banner.ts';
import { answerOf } from '../operator/answer.ts';
import { memberCookie } from '../operator/session-cookie.ts';
import { describeSession } from './session.ts';

export interface Admission {
  readonly keys: KeyStore;
  readonly members: Members;
  readonly banner: Banner;
}

/** Who signs in again leaves no session behind, and goes on with a new id in any case. */
export async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  { account, member, session, id }: SignedIn,
  { keys, members, banner }: Admission,
) {
  const former = memberCookie.read(request);
  if (former !== undefined) await members.sessions.end(former).catch(() => {});
  memberCookie.set(request, reply, id);
  const [owner, shown] = await Promise.all([
    answerOf(request, keys.requireAccount(account)),
    answerOf(request, banner.get()),
  ]);
  reply.code(201);
  return describeSession(owner, member, session, { id, banner: shown?.text ?? null });
}
