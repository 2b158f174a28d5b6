package class

import "strings"

// sendableCookie tells whether a line of cookies can hold a name: the bytes of a header but those that end a name, and no space in
// front, which belongs to the separator.
func sendableCookie(name string) bool {
	for i := range len(name) {
		if b := name[i]; b == ';' || b == '=' || b < ' ' && b != '\t' || b == 0x7f {
			return false
		}
	}
	return !strings.HasPrefix(name, " ")
}

// cookie writes a cookie so that Envoy reads the value: it takes off double quotes around one, so a value that has some needs more.
func cookie(name, value string) string {
	if len(value) > 1 && value[0] == '"' && value[len(value)-1] == '"' {
		value = `"` + value + `"`
	}
	return name + "=" + value
}

// cookieLine is the header of some cookies. Blanks at its ends would be trimmed.
func cookieLine(cookies []string) string {
	line := strings.Join(cookies, "; ")
	if strings.HasPrefix(line, "\t") {
		line = ";" + line
	}
	if strings.HasSuffix(line, " ") || strings.HasSuffix(line, "\t") {
		line += ";"
	}
	return line
}
