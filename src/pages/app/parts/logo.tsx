/** The name of the service, with its icon: that of the tab. */
export function Logo() {
  return (
    <>
      <img
        src={document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href}
        alt=""
        width="24"
        height="24"
      />
      Platen
    </>
  );
}
