/** Who may sign in to the console of an account, and who is invited. */
import { useId, useRef, useState } from 'preact/hooks';
import { change, pathOf, read } from '../api.ts';
import type { CreatedInvitation, Invitation, Member, MemberList, Role } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, Loaded } from '../parts/notes.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { ways } from '../place.ts';

export const roleTexts: Readonly<Record<Role, string>> = {
  owner: 'owner: all, also members',
  developer: 'developer: keys and requests',
  billing: 'billing: what is used, and its export',
};
const roles = Object.keys(roleTexts) as Role[];

type Question =
  | { readonly is: 'invite' }
  | { readonly is: 'again' | 'role' | 'remove'; readonly member: Member }
  | { readonly is: 'withdraw'; readonly invitation: Invitation };

interface AccountMembersProps {
  /** Of the account in the API. */
  readonly path: string;
  readonly mayChange: boolean;
  /** Id of the member who is signed in, on a page of its own. */
  readonly me?: string;
}

export function AccountMembers({ path, mayChange, me }: AccountMembersProps) {
  const resource = useResource(path, (signal) => read<MemberList>(`${path}/members`, { signal }));
  const [asks, ask] = useState<Question>();
  const [made, setMade] = useState<CreatedInvitation>();
  const act = async (task: () => Promise<CreatedInvitation | undefined>) => {
    const created = await task();
    if (created) setMade(created);
    resource.reload();
  };
  return (
    <section class="part" id="members">
      <div class="title">
        {me === undefined ? <h2>Members</h2> : <Heading title="Members" />}
        {mayChange && (
          <button type="button" class="button small" onClick={() => ask({ is: 'invite' })}>
            Invite somebody
          </button>
        )}
      </div>
      {made && <Link made={made} done={() => setMade(undefined)} />}
      <Loaded resource={resource}>
        {({ members, invitations }) => (
          <>
            {members.length === 0 ? (
              <Empty>Nobody has joined yet.</Empty>
            ) : (
              <Table
                caption="Members"
                columns={columnsOf(mayChange, me, ask)}
                rows={members}
                keyOf={({ id }) => id}
              />
            )}
            {invitations.length > 0 && (
              <Table
                caption="Open invitations"
                columns={invitationColumns(mayChange, ask)}
                rows={invitations}
                keyOf={({ id }) => id}
              />
            )}
          </>
        )}
      </Loaded>
      {asks && <Ask question={asks} path={path} act={act} close={() => ask(undefined)} />}
    </section>
  );
}

function columnsOf(mayChange: boolean, me: string | undefined, ask: (question: Question) => void) {
  const columns: Column<Member>[] = [
    {
      title: 'Member',
      cell: ({ id, name, email }) => (
        <>
          {id === me ? `${name} (you)` : name}
          <span class="second">{email}</span>
        </>
      ),
    },
    { title: 'Role', cell: ({ role }) => role },
    {
      title: 'Last sign-in',
      cell: ({ lastSignInAt }) =>
        lastSignInAt === null ? 'never' : <Time at={lastSignInAt} style="relative" />,
    },
  ];
  if (!mayChange) return columns;
  return [
    ...columns,
    {
      title: 'Actions',
      cell: (member: Member) => (
        <div class="buttons">
          <button type="button" class="button small" onClick={() => ask({ is: 'role', member })}>
            Change the role <span class="visually-hidden">of {member.name}</span>
          </button>
          {ways.passkey && (
            <button type="button" class="button small" onClick={() => ask({ is: 'again', member })}>
              New link <span class="visually-hidden">for {member.name}</span>
            </button>
          )}
          <button type="button" class="button small danger" onClick={() => ask({ is: 'remove', member })}>
            Remove <span class="visually-hidden">{member.name}</span>
          </button>
        </div>
      ),
    },
  ];
}

function invitationColumns(mayChange: boolean, ask: (question: Question) => void) {
  const columns: Column<Invitation>[] = [
    { title: 'Invited', cell: ({ email }) => email },
    { title: 'Role', cell: ({ role }) => role },
    { title: 'Until', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
  ];
  if (!mayChange) return columns;
  return [
    ...columns,
    {
      title: 'Actions',
      cell: (invitation: Invitation) => (
        <button type="button" class="button small" onClick={() => ask({ is: 'withdraw', invitation })}>
          Withdraw <span class="visually-hidden">the invitation of {invitation.email}</span>
        </button>
      ),
    },
  ];
}

/** The link exists in this view only. */
function Link({
  made: { email, link, expiresAt, mailed },
  done,
}: {
  made: CreatedInvitation;
  done: () => void;
}) {
  const code = useRef<HTMLElement>(null);
  const id = useId();
  return (
    <section class="secret" aria-labelledby={id}>
      <h2 id={id}>{`The link for ${email}`}</h2>
      <p>
        {mailed === true && 'They get it by e-mail. '}
        {mailed === false && 'The e-mail could not be sent. '}
        {ways.passkey
          ? 'Give it to nobody else: whoever opens it first registers a passkey.'
          : 'It lets in only who signs in under this address at your identity provider.'}{' '}
        It works once, until <Time at={expiresAt} />, and is shown only here.
      </p>
      <div class="copyable">
        <code ref={code}>{link}</code>
        <CopyButton source={code} />
      </div>
      <div class="buttons">
        <button type="button" class="button primary" onClick={done}>
          I have it, hide it
        </button>
      </div>
    </section>
  );
}

interface AskProps {
  readonly question: Question;
  readonly path: string;
  readonly act: (task: () => Promise<CreatedInvitation | undefined>) => Promise<void>;
  readonly close: () => void;
}

function Ask({ question, ...props }: AskProps) {
  if (question.is === 'invite') return <Invite {...props} />;
  if (question.is === 'withdraw') return <Withdraw invitation={question.invitation} {...props} />;
  if (question.is === 'role') return <ChangeRole member={question.member} {...props} />;
  if (question.is === 'again') return <Again member={question.member} {...props} />;
  return <Remove member={question.member} {...props} />;
}

type QuestionProps = Omit<AskProps, 'question'>;

function Invite({ path, act, close }: QuestionProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('owner');
  const task = () => change<CreatedInvitation>('POST', `${path}/invitations`, { email: email.trim(), role });
  return (
    <Dialog
      title="Invite somebody"
      action="Make the link"
      isReady={/^\S+@\S+$/.test(email.trim())}
      act={() => act(task)}
      close={close}
    >
      <Field
        title="E-mail"
        hint="The link is shown here, and sent where the service can."
        mistake={undefined}
      >
        {(described) => (
          <input
            {...described}
            type="email"
            name="email"
            maxLength={254}
            autocomplete="off"
            value={email}
            onInput={({ currentTarget }) => setEmail(currentTarget.value)}
          />
        )}
      </Field>
      <RoleSelect value={role} choose={setRole} />
    </Dialog>
  );
}

function RoleSelect({ value, choose }: { value: Role; choose: (role: Role) => void }) {
  return (
    <label class="field">
      <span class="label">Role</span>
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value as Role)}>
        {roles.map((each) => (
          <option key={each} value={each}>
            {roleTexts[each]}
          </option>
        ))}
      </select>
    </label>
  );
}

function ChangeRole({ member, path, act, close }: QuestionProps & { member: Member }) {
  const [role, setRole] = useState(member.role);
  const task = async () => {
    await change('PUT', `${path}${pathOf('members', member.id, 'role')}`, { role });
    return undefined;
  };
  return (
    <Dialog
      title={`The role of ${member.name}`}
      action="Change the role"
      isReady={role !== member.role}
      act={() => act(task)}
      close={close}
    >
      <RoleSelect value={role} choose={setRole} />
      <p>It holds from their next request on.</p>
    </Dialog>
  );
}

function Again({ member, path, act, close }: QuestionProps & { member: Member }) {
  const task = () =>
    change<CreatedInvitation>('POST', `${path}${pathOf('members', member.id, 'invitation')}`);
  return (
    <Dialog
      title={`A new link for ${member.name}?`}
      action="Make the link"
      act={() => act(task)}
      close={close}
    >
      <p>
        For a member who lost their passkey. The one that they register with it replaces all others, and ends
        all their sessions.
      </p>
    </Dialog>
  );
}

function Remove({ member, path, act, close }: QuestionProps & { member: Member }) {
  const task = async () => {
    await change('DELETE', `${path}${pathOf('members', member.id)}`);
    return undefined;
  };
  return (
    <Dialog
      title={`Remove ${member.name}?`}
      action="Remove the member"
      isDangerous
      act={() => act(task)}
      close={close}
    >
      <p>Their sessions and passkeys end at once. Keys that they made keep working.</p>
    </Dialog>
  );
}

function Withdraw({ invitation, path, act, close }: QuestionProps & { invitation: Invitation }) {
  const task = async () => {
    await change('DELETE', `${path}${pathOf('invitations', invitation.id)}`);
    return undefined;
  };
  return (
    <Dialog
      title={`Withdraw the invitation of ${invitation.email}?`}
      action="Withdraw the invitation"
      isDangerous
      act={() => act(task)}
      close={close}
    >
      <p>Its link does not work any more.</p>
    </Dialog>
  );
}
