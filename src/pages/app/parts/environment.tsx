/** Whether the console shows what live keys did, or what test keys did: one choice for all its pages. */
import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Environment } from '../api-types.ts';

interface EnvironmentChoice {
  readonly environment: Environment;
  readonly choose: (environment: Environment) => void;
}

/** Undefined: there is none, so each list has its own. */
export const ChosenEnvironment = createContext<EnvironmentChoice | undefined>(undefined);

export const useEnvironment = (): EnvironmentChoice | undefined => useContext(ChosenEnvironment);

/** The tab remembers it, so that a reload shows the same. */
const REMEMBERED = 'platen:environment';

/** The choice of a tab; at first live. */
export function useEnvironmentChoice(): EnvironmentChoice {
  const [environment, setEnvironment] = useState<Environment>(() =>
    sessionStorage.getItem(REMEMBERED) === 'test' ? 'test' : 'live',
  );
  const choose = (chosen: Environment) => {
    sessionStorage.setItem(REMEMBERED, chosen);
    setEnvironment(chosen);
  };
  return { environment, choose };
}

const titles = [
  ['live', 'Live'],
  ['test', 'Test'],
] as const satisfies readonly (readonly [Environment, string])[];

export function EnvironmentSwitch({ environment, choose }: EnvironmentChoice) {
  return (
    <fieldset class="choice">
      <legend class="visually-hidden">What live keys or test keys did</legend>
      {titles.map(([value, title]) => (
        <label key={value}>
          <input
            type="radio"
            name="shown-environment"
            checked={environment === value}
            onChange={() => choose(value)}
          />
          <span>{title}</span>
        </label>
      ))}
    </fieldset>
  );
}
