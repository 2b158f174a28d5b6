package envoytest

import (
	"bytes"
	"encoding/binary"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	authv3 "github.com/envoyproxy/go-control-plane/envoy/service/auth/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

// Every echo is also a server that judges requests. Over HTTP it allows a request as it answers any other, with 200, and refuses it
// where the request that it is told of asks for trouble ("fail 401 1"). Over gRPC it speaks Envoy's ext_authz, does the same, and
// adds headers to a request that it allows.
const (
	checkPath = "/envoy.service.auth.v3.Authorization/Check"
	// AnsweredBy is in every answer of an echo, and in a request that an echo allowed: the address. (Envoy takes what begins with
	// X-Envoy for its own.)
	AnsweredBy = "X-Echo-Answered-By"
	// ToldHeaders and ToldBody are in a request that was allowed over gRPC: the names of the headers that the server was told, and the
	// length of the body.
	ToldHeaders = "X-Echo-Told-Headers"
	ToldBody    = "X-Echo-Told-Body"
)

// maxCheck bounds what is read of a call.
const maxCheck = 1 << 20

// authorize answers a call of ext_authz as the server of an address.
func authorize(w http.ResponseWriter, r *http.Request, address string) {
	w.Header().Set("Content-Type", "application/grpc")
	check := &authv3.CheckRequest{}
	call, err := io.ReadAll(io.LimitReader(r.Body, maxCheck))
	// A call is a byte that says whether it is compressed, its length, and the message (gRPC over HTTP/2, "Requests").
	if err != nil || len(call) < 5 || call[0] != 0 || proto.Unmarshal(call[5:], check) != nil {
		w.Header().Set("Grpc-Status", "3") // INVALID_ARGUMENT
		return
	}
	answer, err := proto.Marshal(judge(check.GetAttributes().GetRequest().GetHttp(), address))
	if err != nil {
		panic(err) // a message of our own that cannot be marshalled is a fault of this file
	}
	var frame bytes.Buffer
	frame.WriteByte(0)
	frame.Write(binary.BigEndian.AppendUint32(nil, uint32(len(answer))))
	frame.Write(answer)
	// Who asks and does not read the answer has gone.
	_, _ = w.Write(frame.Bytes())
	w.Header().Set(http.TrailerPrefix+"Grpc-Status", "0")
}

// judge refuses a request that asks for trouble with the status that it names, and allows every other.
func judge(told *authv3.AttributeContext_HttpRequest, address string) *authv3.CheckResponse {
	if trouble := strings.Fields(told.GetHeaders()[strings.ToLower(TroubleHeader)]); len(trouble) > 1 && trouble[0] == "fail" {
		code, _ := strconv.Atoi(trouble[1])
		denied := &authv3.CheckResponse{}
		if err := prototext.Unmarshal([]byte("status {code: 7}"), denied); err != nil { // PERMISSION_DENIED
			panic(err) // a text of this file that does not parse is its fault
		}
		denied.HttpResponse = &authv3.CheckResponse_DeniedResponse{DeniedResponse: &authv3.DeniedHttpResponse{
			Status: &typev3.HttpStatus{Code: typev3.StatusCode(code)},
		}}
		return denied
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(told.GetHeaders())), func(name string) bool { return strings.HasPrefix(name, ":") })
	ok := &authv3.OkHttpResponse{}
	for _, header := range [][2]string{
		{AnsweredBy, address}, {ToldHeaders, strings.Join(names, " ")}, {ToldBody, strconv.Itoa(len(told.GetBody()))},
	} {
		ok.Headers = append(ok.Headers, &corev3.HeaderValueOption{Header: &corev3.HeaderValue{Key: header[0], Value: header[1]}})
	}
	return &authv3.CheckResponse{HttpResponse: &authv3.CheckResponse_OkResponse{OkResponse: ok}}
}
