/** Leads to the identity provider. */
export function ProviderButton({ isBusy, go }: { isBusy: boolean; go: () => void }) {
  return (
    <button type="button" class="button primary" disabled={isBusy} onClick={go}>
      Sign in with your organization
    </button>
  );
}
