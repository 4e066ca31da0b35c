/** The kit's settings (src/kit/kit.xcu), and a macro that reports which of them are in force. */

/** Settings by path and name, as LibreOffice prints them: `True` or `False`, a number; a node that is removed is `gone`. */
type Settings = Readonly<Record<string, string>>;

const ITEM = /<item oor:path="([^"]+)">(.*?)<\/item>/g;
const NODE = /<node oor:name="([^"]+)"/;
const PROPERTY = /<prop oor:name="([^"]+)" oor:op="fuse"><value>([^<]*)</;

/** What a file of settings says. */
export function settingsIn(xcu: string): Settings {
  return Object.fromEntries(
    [...xcu.matchAll(ITEM)].map(([, path, content = '']) => {
      const node = NODE.exec(content)?.[1];
      const [, property, value = ''] = PROPERTY.exec(content) ?? [];
      if (property === undefined) return [`${path} ${node}`, 'gone'];
      const name = node === undefined ? property : `${node} ${property}`;
      return [`${path} ${name}`, value.replace('true', 'True').replace('false', 'False')];
    }),
  );
}

/** The setting for Java, which is in no file of that kind (src/kit/no-java.xml). */
export const JAVA = 'Java';

/**
 * Basic statements that write a line for each setting, and for Java: its name and the value in force.
 *
 * Opening a document raises two events. Basic handles the second within a statement of the first's macro if that takes more
 * than 5 ms. A second run would find the file open and end both with an error, so it writes nothing.
 */
export function tellingMacro(settings: Settings, output: string): string {
  const lines = Object.entries(settings).map(([setting, value]) => {
    const [path, ...names] = setting.split(' ');
    const found =
      value === 'gone'
        ? `IIf(c.hasByName("${names.join(' ')}"), "there", "gone")`
        : names.reduce((parent, name) => `${parent}.getByName("${name}")`, 'c');
    return `a(0).Value = "${path}"
c = p.createInstanceWithArguments("com.sun.star.configuration.ConfigurationAccess", a())
Print #1, "${setting}=" & ${found}`;
  });
  return `If FileExists("${output}") Then Exit Sub
p = createUnoService("com.sun.star.configuration.ConfigurationProvider")
Dim a(0) As New com.sun.star.beans.PropertyValue
a(0).Name = "nodepath"
Open "${output}" For Output As #1
${lines.join('\n')}
Print #1, "${JAVA}=" & createUnoService("com.sun.star.java.JavaVirtualMachine").isVMEnabled()
Close #1
`;
}

/** What the macro has written. */
export function toldSettings(text: string): Settings {
  const lines = text.split('\n').filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.trimEnd().split('=') as [string, string]));
}
