/** Kinds of Word documents, by file extension. */
export const documentTypes = ['docx', 'docm', 'dotx', 'dotm'] as const;

/** One of the kinds. */
export type DocumentType = (typeof documentTypes)[number];
