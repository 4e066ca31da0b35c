/** Names of browsers, by their `User-Agent`. */
const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'] as const;

/** A name for a browser, such as `Chrome on Linux`. */
export function browserOf(userAgent: string): string {
  const browser = browsers.find((each) => userAgent.includes(each));
  const system = systems.find((each) => userAgent.includes(each));
  if (browser === undefined) return 'A browser';
  return `${names[browser] ?? browser}${system === undefined ? '' : ` on ${system}`}`;
}
