/** Buttons. */

interface ButtonProps {
  readonly text: string;
  /** What it is about, for people who do not see what it stands beside. */
  readonly of?: string;
  /** Further classes: `small`, `primary`, `danger`. */
  readonly look?: string;
  readonly isBusy?: boolean;
  readonly act: () => void;
}

export function Button({ text, of, look = '', isBusy = false, act }: ButtonProps) {
  return (
    <button type="button" class={`button ${look}`} disabled={isBusy} onClick={act}>
      {text}
      {of !== undefined && <> </>}
      {of !== undefined && <span class="visually-hidden">{of}</span>}
    </button>
  );
}

interface SubmitProps extends Omit<ButtonProps, 'of' | 'act'> {
  /** Whether the form can be sent now. */
  readonly isReady?: boolean;
}

/** Sends the form that it is in. */
export function Submit({ text, look = 'primary', isBusy = false, isReady = true }: SubmitProps) {
  return (
    <button type="submit" class={`button ${look}`} disabled={isBusy || !isReady}>
      {isBusy ? 'One moment …' : text}
    </button>
  );
}
