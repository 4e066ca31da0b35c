/** Another name for an account. */
import { useState } from 'preact/hooks';
import { change } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';

interface RenameAccountProps {
  /** Of the account in the API. */
  readonly path: string;
  readonly account: { readonly id: string; readonly name: string };
  readonly changed: () => void;
  readonly close: () => void;
}

export function RenameAccount({ path, account: { id, name: former }, changed, close }: RenameAccountProps) {
  const [name, setName] = useState(former);
  const act = () => change('PUT', `${path}/name`, { name: name.trim() }).then(changed);
  const isReady = name.trim() !== '' && name.trim() !== former;
  return (
    <Dialog title={`Rename ${former}`} action="Rename the account" isReady={isReady} act={act} close={close}>
      <TextField
        title="Name"
        hint={`Of the customer. The id ${id} stays.`}
        maxLength={200}
        value={name}
        set={setName}
      />
    </Dialog>
  );
}
