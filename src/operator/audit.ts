/** The audit: who did what, and when. */

export const auditActions = [
  'account.created',
  'account.plan-changed',
  'key.created',
  'key.revoked',
  'key.rotated',
  'maintenance.on',
  'maintenance.off',
  'session.began',
  'session.ended',
  'session.refused',
] as const;
