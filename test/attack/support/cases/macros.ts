/** Macros that nothing in the document's type announces: LibreOffice imports them whatever the content types say. */
import type { Case, Targets } from '../case.ts';
import { attackDocx, paragraph, text } from '../docx.ts';
import { odt } from '../foreign-documents.ts';
import { vbaProject } from '../vba.ts';

const VBA = 'http://schemas.microsoft.com/office/2006/relationships/vbaProject';

const mark = ({ folders }: Targets): string => `${folders[0]}/macro-ran`;

/** Statements of Basic, Word's and LibreOffice's, that leave a file in a folder of canaries. */
export const writesFile = (targets: Targets): string =>
  `Open "${mark(targets)}" For Output As #1\r\nPrint #1, "ran"\r\nClose #1\r\n`;

/** The same, by a program whose end they wait for. */
export const runsProgram = (targets: Targets): string =>
  `Shell "/usr/bin/touch", 1, "${mark(targets)}", True\r\n`;

const vbaDocx = (body: string): Buffer =>
  attackDocx({
    body: paragraph(text('with macros')),
    relationships: [{ id: 'rIdVba', type: VBA, target: 'vbaProject.bin' }],
    parts: [
      {
        name: 'word/vbaProject.bin',
        type: 'application/vnd.ms-office.vbaProject',
        data: vbaProject(
          ['AutoOpen', 'Document_Open', 'AutoExec', 'AutoClose']
            .map((name) => `Sub ${name}()\r\n${body}End Sub\r\n`)
            .join(''),
        ),
      },
    ],
  });

/** An OpenDocument text with nothing in it but a macro that runs when it is opened. */
export const basicOdt = (macro: string): Buffer =>
  odt({ web: [], hosts: [], folders: [], environments: [] }, macro);

/**
 * Macros of an OpenDocument text named DOCX run if the load call and the profile allow them, so each layer is
 * shown to stop them.
 *
 * Those of a DOCX ran nowhere when tried, so no layer claims them. With macros asked for (ALLOW_MACROS in office.c), level
 * 0 and no layer on, LibreOffice imports the project as executable Basic and calls none of it, also where its main
 * loop goes on for two seconds, as the kit's does not. Tried were AutoOpen, AutoExec, AutoNew, Document_Open,
 * Document_New and Main, in modules named Module1, NewMacros and AutoOpen and in a document module ThisDocument, in
 * projects named Project and Standard, and a MACROBUTTON field. A DOCX has no other way to bind an event to a script,
 * and hyperlinks to `vnd.sun.star.script:` wait for a click.
 */
export const macros: readonly Case[] = [
  {
    name: 'a Word macro that writes a file when its document is opened',
    build: (targets) => vbaDocx(writesFile(targets)),
  },
  {
    name: 'a Word macro that runs a program when its document is opened',
    build: (targets) => vbaDocx(`Shell "/usr/bin/touch ${mark(targets)}"\r\n`),
  },
  {
    name: 'an OpenDocument text named DOCX whose macro writes a file when it is opened',
    build: (targets) => basicOdt(writesFile(targets)),
    outcomes: ['INVALID_FILE_TYPE'],
    claims: ['preflight', 'profile', 'load', 'files'],
  },
  {
    name: 'an OpenDocument text named DOCX whose macro runs a program when it is opened',
    build: (targets) => basicOdt(runsProgram(targets)),
    outcomes: ['INVALID_FILE_TYPE'],
    claims: ['preflight', 'profile', 'load', 'seccomp', 'files'],
  },
];
