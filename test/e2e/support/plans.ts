/** Plans for a server under test. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface PlanLimits {
  readonly perSecond?: number;
  readonly perHour?: number;
  readonly perDay?: number;
  readonly perMonth?: number;
  readonly maxJobs?: number;
  readonly features?: readonly string[];
}

/** Writes a PLANS_FILE with these plans; what is not given is unlimited. Returns its path. */
export async function writePlans(
  folder: string,
  plans: Readonly<Record<string, PlanLimits>>,
): Promise<string> {
  const unlimited = { perSecond: null, perHour: null, perDay: null, perMonth: null, features: [] };
  const path = join(folder, 'plans.json');
  const whole = Object.entries(plans).map(([name, limits]) => [name, { ...unlimited, ...limits }]);
  await writeFile(path, JSON.stringify(Object.fromEntries(whole)));
  return path;
}
