/** Form fields, each with a hint that an error replaces. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface Described {
  readonly id: string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid': boolean;
}

interface FieldProps {
  readonly title: string;
  readonly hint: string;
  readonly mistake: string | undefined;
  readonly children: (described: Described) => ComponentChildren;
}

export function Field({ title, hint, mistake, children }: FieldProps) {
  const id = useId();
  const about = `${id}-about`;
  return (
    <div class="field">
      <label class="label" for={id}>
        {title}
      </label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': mistake !== undefined })}
      <span id={about} class={mistake === undefined ? 'hint' : 'mistake'} aria-live="polite">
        {mistake ?? hint}
      </span>
    </div>
  );
}

interface TimeFieldProps extends Omit<FieldProps, 'children'> {
  /** As the input has it, in the time zone of the browser; empty for none. */
  readonly value: string;
  readonly set: (value: string) => void;
  readonly name?: string;
}

/** Years have four digits. Browsers accept six, but cannot parse such a time. */
export function TimeField({ value, set, name, ...field }: TimeFieldProps) {
  return (
    <Field {...field}>
      {(described) => (
        <input
          {...described}
          type="datetime-local"
          name={name}
          max="9999-12-31T23:59"
          value={value}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A time as inputs have it, in the time zone of the browser. @param time ISO 8601; empty for none. */
export function localOf(time: string): string {
  if (time === '') return '';
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface OptionsProps<Value extends string> {
  readonly title: string;
  readonly name: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly choose: (value: Value) => void;
}

export function Options<Value extends string>({ title, name, options, value, choose }: OptionsProps<Value>) {
  return (
    <fieldset>
      <legend class="label">{title}</legend>
      {options.map(([option, text]) => (
        <label key={option} class="option">
          <input type="radio" name={name} checked={value === option} onChange={() => choose(option)} />
          <span>
            <code>{option}</code> <span class="hint">{text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
