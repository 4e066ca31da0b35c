/** Whether who is signed in may change anything; controls that would are not offered otherwise. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';

export const MayChange = createContext(true);

export const useMayChange = (): boolean => useContext(MayChange);

/** What only those see who may change something. */
export function Changes({ children }: { children: ComponentChildren }) {
  return useMayChange() ? children : null;
}
