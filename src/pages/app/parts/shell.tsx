/** The frame of every view: a bar at the top, the sections at the side (at the top on a phone), and the view. */
import type { ComponentChildren } from 'preact';
import { HOME } from '../router.ts';
import { Button } from './button.tsx';
import { Logo } from './logo.tsx';

/** A section: the first part of its path, and its title. */
type Section = readonly [name: string, title: string];

/** Sections that belong together. The first group has no title. */
type SectionGroup = readonly [title: string, sections: readonly Section[]];

interface ShellProps {
  readonly groups: readonly SectionGroup[];
  /** The section that is shown. */
  readonly section: string;
  /** In the bar, after the logo. */
  readonly bar: ComponentChildren;
  /** Above the sections. */
  readonly aside?: ComponentChildren;
  readonly signOut: () => void;
  /** What every view says first. */
  readonly notes: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Shell({ groups, section, bar, aside, signOut, notes, children }: ShellProps) {
  return (
    <>
      <a class="skip" href="#view">
        Skip to the content
      </a>
      <header class="bar">
        <a class="home" href={HOME}>
          <Logo />
        </a>
        {bar}
        <Button text="Sign out" look="small" act={signOut} />
      </header>
      {notes}
      <div class="shell">
        <nav class="side" aria-label="Pages">
          {aside}
          <div class="groups">
            {groups.map(([title, sections]) => (
              <Group key={title} title={title} sections={sections} section={section} />
            ))}
          </div>
        </nav>
        <div class="view" id="view" tabIndex={-1}>
          {children}
        </div>
      </div>
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly sections: readonly Section[];
  readonly section: string;
}

function Group({ title, sections, section }: GroupProps) {
  return (
    <div class="group">
      {title !== '' && <p aria-hidden="true">{title}</p>}
      <ul aria-label={title === '' ? undefined : title}>
        {sections.map(([name, text]) => (
          <li key={name}>
            <a
              href={name === '' ? HOME : `${HOME}/${name}`}
              aria-current={name === section ? 'page' : undefined}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
