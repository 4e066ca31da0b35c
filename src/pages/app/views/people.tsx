/** Who may sign in, and who is invited: members of an account, or operators. */
import { useState } from 'preact/hooks';
import { change, pathOf, read } from '../api.ts';
import type { Maker } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Select, TextField } from '../parts/fields.tsx';
import { Heading } from '../parts/heading.tsx';
import { MadeBy } from '../parts/made-by.tsx';
import { Loaded } from '../parts/notes.tsx';
import { ShownOnce, useShownOnce } from '../parts/shown-once.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { ways } from '../place.ts';

/** How people of one kind are called, and what is different about them. */
export interface Kind<Role extends string> {
  /** Such as `member`, also in paths with an `s`. */
  readonly noun: 'member' | 'operator';
  readonly title: string;
  /** What each role may do. */
  readonly roleTexts: Readonly<Record<Role, string>>;
  /** The role that is offered first. */
  readonly usual: Role;
  readonly removal: string;
  readonly none: string;
  /** Whether an answer ends all sessions of somebody. */
  readonly endsSessions: boolean;
}

interface Person<Role> {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly lastSignInAt: string | null;
}

interface Invitation<Role> {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: string;
  readonly madeBy: Maker;
}

interface CreatedInvitation<Role> extends Invitation<Role> {
  readonly link: string;
  readonly mailed: boolean | null;
}

type PersonList<Role> = { readonly [list in 'members' | 'operators']?: readonly Person<Role>[] } & {
  readonly invitations: readonly Invitation<Role>[];
};

type Question<Role> =
  | { readonly is: 'invite' }
  | { readonly is: 'again' | 'role' | 'remove' | 'sessions'; readonly person: Person<Role> }
  | { readonly is: 'withdraw'; readonly invitation: Invitation<Role> };

interface PeopleProps<Role extends string> {
  readonly kind: Kind<Role>;
  /** Of whose they are in the API. */
  readonly path: string;
  readonly mayChange: boolean;
  /** Id of who is signed in, on a page of its own. */
  readonly me?: string | undefined;
}

export function People<Role extends string>({ kind, path, mayChange, me }: PeopleProps<Role>) {
  const { noun, title, none } = kind;
  const list = `${noun}s` as const;
  const resource = useResource(path, (signal) => read<PersonList<Role>>(`${path}/${list}`, { signal }));
  const [asks, ask] = useState<Question<Role>>();
  // A second invitation of the same person ends the first.
  const { notes, add } = useShownOnce<CreatedInvitation<Role>>(
    ({ email }) => email,
    (made, done) => <Link made={made} done={done} />,
  );
  const created = (made: CreatedInvitation<Role>) => {
    add(made);
    resource.reload();
  };
  const props = { kind, path, changed: resource.reload, created, close: () => ask(undefined) };
  return (
    <section class="part" id={list}>
      <div class="title">
        {me === undefined ? <h2>{title}</h2> : <Heading title={title} />}
        {mayChange && <Button text="Invite somebody" look="small" act={() => ask({ is: 'invite' })} />}
      </div>
      {notes}
      <Loaded resource={resource}>
        {({ [list]: people = [], invitations }) => (
          <>
            <Table
              caption={title}
              columns={columnsOf(kind, mayChange, me, ask)}
              rows={people}
              keyOf={({ id }) => id}
              empty={none}
            />
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
      {asks && <Ask question={asks} {...props} />}
    </section>
  );
}

function columnsOf<Role extends string>(
  { noun, endsSessions }: Kind<Role>,
  mayChange: boolean,
  me: string | undefined,
  ask: (question: Question<Role>) => void,
) {
  const columns: Column<Person<Role>>[] = [
    {
      title: noun === 'member' ? 'Member' : 'Operator',
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
      cell: (person: Person<Role>) => (
        <div class="buttons">
          <Button
            text="Change the role"
            of={`of ${person.name}`}
            look="small"
            act={() => ask({ is: 'role', person })}
          />
          {ways.passkey && (
            <Button
              text="New link"
              of={`for ${person.name}`}
              look="small"
              act={() => ask({ is: 'again', person })}
            />
          )}
          {endsSessions && (
            <Button
              text="End sessions"
              of={`of ${person.name}`}
              look="small"
              act={() => ask({ is: 'sessions', person })}
            />
          )}
          <Button
            text="Remove"
            of={person.name}
            look="small danger"
            act={() => ask({ is: 'remove', person })}
          />
        </div>
      ),
    },
  ];
}

function invitationColumns<Role extends string>(mayChange: boolean, ask: (question: Question<Role>) => void) {
  const columns: Column<Invitation<Role>>[] = [
    { title: 'Invited', cell: ({ email }) => email },
    { title: 'Role', cell: ({ role }) => role },
    { title: 'Until', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    { title: 'Made by', cell: ({ madeBy }) => <MadeBy maker={madeBy} /> },
  ];
  if (!mayChange) return columns;
  return [
    ...columns,
    {
      title: 'Actions',
      cell: (invitation: Invitation<Role>) => (
        <Button
          text="Withdraw"
          of={`the invitation of ${invitation.email}`}
          look="small"
          act={() => ask({ is: 'withdraw', invitation })}
        />
      ),
    },
  ];
}

/** The link exists in this view only. */
function Link({
  made: { email, link, expiresAt, mailed },
  done,
}: {
  made: CreatedInvitation<string>;
  done: () => void;
}) {
  const about = (
    <>
      {mailed === true && 'They get it by e-mail. '}
      {mailed === false && 'The e-mail could not be sent. '}
      {ways.passkey
        ? 'Do not share it: the first person who opens it can register a passkey.'
        : 'It works only for a person who signs in with this address at your identity provider.'}{' '}
      It works once, until <Time at={expiresAt} />, and is shown only here.
    </>
  );
  return <ShownOnce title={`The link for ${email}`} about={about} secret={link} done={done} />;
}

interface QuestionProps<Role extends string> {
  readonly kind: Kind<Role>;
  readonly path: string;
  readonly changed: () => void;
  readonly created: (made: CreatedInvitation<Role>) => void;
  readonly close: () => void;
}

type PersonProps<Role extends string> = QuestionProps<Role> & { readonly person: Person<Role> };

interface AskProps<Role extends string> extends QuestionProps<Role> {
  readonly question: Question<Role>;
}

function Ask<Role extends string>({ question, ...props }: AskProps<Role>) {
  if (question.is === 'invite') return <Invite {...props} />;
  if (question.is === 'withdraw') return <Withdraw invitation={question.invitation} {...props} />;
  if (question.is === 'role') return <ChangeRole person={question.person} {...props} />;
  if (question.is === 'again') return <Again person={question.person} {...props} />;
  if (question.is === 'sessions') return <EndSessions person={question.person} {...props} />;
  return <Remove person={question.person} {...props} />;
}

const addressIn = (path: string, noun: string, ...parts: readonly string[]) =>
  `${path}${pathOf(`${noun}s`, ...parts)}`;

function Invite<Role extends string>({ kind, path, created, close }: QuestionProps<Role>) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState(kind.usual);
  const body = { email: email.trim(), role };
  const act = () => change<CreatedInvitation<Role>>('POST', `${path}/invitations`, body).then(created);
  return (
    <Dialog
      title="Invite somebody"
      action="Make the link"
      isReady={/^\S+@\S+$/.test(body.email)}
      act={act}
      close={close}
    >
      <TextField
        title="E-mail"
        hint="The link is shown here, and sent by e-mail if the service can."
        type="email"
        name="email"
        maxLength={254}
        autocomplete="off"
        value={email}
        set={setEmail}
      />
      <RoleSelect kind={kind} value={role} choose={setRole} />
    </Dialog>
  );
}

interface RoleSelectProps<Role extends string> {
  readonly kind: Kind<Role>;
  readonly value: Role;
  readonly choose: (role: Role) => void;
}

function RoleSelect<Role extends string>({ kind: { roleTexts }, value, choose }: RoleSelectProps<Role>) {
  const options = Object.entries(roleTexts) as [Role, string][];
  return (
    <Field title="Role">
      {(described) => <Select {...described} options={options} value={value} choose={choose} />}
    </Field>
  );
}

function ChangeRole<Role extends string>({ kind, person, path, changed, close }: PersonProps<Role>) {
  const [role, setRole] = useState(person.role);
  const act = () => change('PUT', addressIn(path, kind.noun, person.id, 'role'), { role }).then(changed);
  return (
    <Dialog
      title={`The role of ${person.name}`}
      action="Change the role"
      isReady={role !== person.role}
      act={act}
      close={close}
    >
      <RoleSelect kind={kind} value={role} choose={setRole} />
      <p>
        It applies from their next request on. If they may no longer invite, invitations that they made end.
      </p>
    </Dialog>
  );
}

function Again<Role extends string>({ kind: { noun }, person, path, created, close }: PersonProps<Role>) {
  const address = addressIn(path, noun, person.id, 'invitation');
  const act = () => change<CreatedInvitation<Role>>('POST', address).then(created);
  return (
    <Dialog title={`A new link for ${person.name}?`} action="Make the link" act={act} close={close}>
      <p>
        For somebody who lost their passkey. The one that they register with it replaces all others, and ends
        all their sessions.
      </p>
    </Dialog>
  );
}

function EndSessions<Role extends string>({
  kind: { noun },
  person,
  path,
  changed,
  close,
}: PersonProps<Role>) {
  const act = () => change('DELETE', addressIn(path, noun, person.id, 'sessions')).then(changed);
  return (
    <Dialog
      title={`End the sessions of ${person.name}?`}
      action="End the sessions"
      isDangerous
      act={act}
      close={close}
    >
      <p>On every server at once. They can sign in again.</p>
    </Dialog>
  );
}

function Remove<Role extends string>({ kind, person, path, changed, close }: PersonProps<Role>) {
  const { noun, removal } = kind;
  const act = () => change('DELETE', addressIn(path, noun, person.id)).then(changed);
  return (
    <Dialog
      title={`Remove ${person.name}?`}
      action={`Remove the ${noun}`}
      isDangerous
      act={act}
      close={close}
    >
      <p>{removal}</p>
    </Dialog>
  );
}

interface WithdrawProps<Role extends string> extends QuestionProps<Role> {
  readonly invitation: Invitation<Role>;
}

function Withdraw<Role extends string>({ invitation, path, changed, close }: WithdrawProps<Role>) {
  const act = () => change('DELETE', `${path}${pathOf('invitations', invitation.id)}`).then(changed);
  return (
    <Dialog
      title={`Withdraw the invitation of ${invitation.email}?`}
      action="Withdraw the invitation"
      isDangerous
      act={act}
      close={close}
    >
      <p>Its link stops working.</p>
    </Dialog>
  );
}
