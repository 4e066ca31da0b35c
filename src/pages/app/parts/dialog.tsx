/** Confirmation dialogs. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useAction } from '../hooks.ts';
import { Submit } from './button.tsx';
import { FailureNote } from './notes.tsx';

interface DialogProps {
  readonly title: string;
  /** What the button does. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** Whether the action is possible now. */
  readonly isReady?: boolean;
  readonly children: ComponentChildren;
  /** @throws Failure, which the dialog shows. */
  readonly act: () => Promise<void>;
  /** Called when it was answered or dismissed. */
  readonly close: () => void;
}

/** Asks, acts, and closes on success. */
export function Dialog({
  title,
  action,
  isDangerous = false,
  isReady = true,
  children,
  act,
  close,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const id = useId();
  const { isBusy, failure, run } = useAction();
  useEffect(() => {
    dialog.current?.showModal();
    // Enter alone must do no damage.
    if (isDangerous) cancel.current?.focus();
  }, []);
  // The browser closes it, so that the focus returns to where it was, and then calls `close`.
  const leave = () => dialog.current?.close();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (await run(act)) leave();
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close}>
      <form onSubmit={submit}>
        <h2 id={id}>{title}</h2>
        {children}
        {failure && <FailureNote failure={failure} />}
        <div class="buttons">
          <Submit text={action} look={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} isReady={isReady} />
          <button type="button" class="button" ref={cancel} onClick={leave}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
