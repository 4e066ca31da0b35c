/** Leads to the identity provider. */
import { Button } from '../parts/button.tsx';

export function ProviderButton({ isBusy, go }: { isBusy: boolean; go: () => void }) {
  return <Button text="Sign in with your organization" look="primary" isBusy={isBusy} act={go} />;
}
