/** Form fields: a mistake takes the place of the hint. */
import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';

export interface Described {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
}

interface FieldProps {
  readonly title: ComponentChildren;
  /** None where the title says all. */
  readonly hint?: string | undefined;
  readonly mistake?: string | undefined;
  readonly children: (described: Described) => ComponentChildren;
}

export function Field({ title, hint, mistake, children }: FieldProps) {
  const id = useId();
  const text = mistake ?? hint;
  const about = text === undefined ? undefined : `${id}-about`;
  return (
    <div class="field">
      <label class="label" for={id}>
        {title}
      </label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': mistake !== undefined })}
      {about && (
        <span id={about} class={mistake === undefined ? 'hint' : 'mistake'} aria-live="polite">
          {text}
        </span>
      )}
    </div>
  );
}

interface TypedProps extends Omit<FieldProps, 'children'> {
  readonly value: string;
  readonly set: (value: string) => void;
}

interface TextFieldProps extends TypedProps {
  readonly name?: string;
  readonly type?: 'datetime-local' | 'email' | 'text' | 'url';
  readonly max?: string;
  readonly maxLength?: number;
  readonly inputMode?: 'numeric';
  readonly autocomplete?: 'name' | 'off';
  readonly spellcheck?: false;
}

export function TextField({ title, hint, mistake, value, set, ...attributes }: TextFieldProps) {
  return (
    <Field title={title} hint={hint} mistake={mistake}>
      {(described) => (
        <input
          {...described}
          // Preact's types go by a `type` that is known.
          {...(attributes as InputHTMLAttributes)}
          value={value}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** One thing a line. */
export function LinesField({ value, set, name, ...field }: TypedProps & { readonly name?: string }) {
  return (
    <Field {...field}>
      {(described) => (
        <textarea
          {...described}
          name={name}
          rows={3}
          autocomplete="off"
          value={value}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
    </Field>
  );
}

/**
 * Years have four digits. Browsers accept six, but cannot parse such a time.
 *
 * @param props.value as the input has it, in the time zone of the browser; empty for none.
 */
export function TimeField(props: TypedProps & { readonly name?: string }) {
  return <TextField {...props} type="datetime-local" max="9999-12-31T23:59" />;
}

/** A time as inputs have it, in the time zone of the browser. @param time ISO 8601; empty for none. */
export function localOf(time: string): string {
  if (time === '') return '';
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface ChoiceProps<Value extends string> {
  readonly options: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly choose: (value: Value) => void;
}

type SelectProps<Value extends string> = ChoiceProps<Value> &
  Partial<Described> & { readonly 'aria-label'?: string };

export function Select<Value extends string>({ options, value, choose, ...described }: SelectProps<Value>) {
  return (
    <select
      {...described}
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value as Value)}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface OptionsProps<Value extends string> extends ChoiceProps<Value> {
  readonly title: string;
  readonly name: string;
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
